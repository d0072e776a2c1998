type Ask = () => Promise<boolean>

/** The dialog that interrupts a call to ask the person; the dialogs of the frame register themselves. */
export const prompts: { signIn: Ask | null; confirm: Ask | null } = { signIn: null, confirm: null }

/** Calls that fail together ask once: all of them wait for the same dialog. */
export function askOnce(open: (answer: (done: boolean) => void) => void): Ask {
  let asked: Promise<boolean> | null = null
  return () => {
    asked ??= new Promise<boolean>((resolve) => open(resolve)).finally(() => {
      asked = null
    })
    return asked
  }
}
