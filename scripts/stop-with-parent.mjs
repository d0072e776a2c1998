// npm starts a script through a shell. Some shells stay between npm and the script: a signal for npm
// then ends npm and the shell, and would leave the script running as nobody's child.
const look_ms = 200

/** Sends this process SIGTERM when the process that started it is gone, if that was a script of npm. */
export function stopWithParent() {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, look_ms).unref()
}
