/**
 * Named points in the flow of money. In production they do nothing; a process that a test starts with
 * `FAILPOINT=name` kills itself, as if by kill -9, when it first reaches that point.
 */
export type Failpoint = (name: string) => void

export const noFailpoint: Failpoint = () => {}

export function failpointNamed(wanted: string): Failpoint {
  return (name) => {
    if (name === wanted) process.kill(process.pid, 'SIGKILL')
  }
}
