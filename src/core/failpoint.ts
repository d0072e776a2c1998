/**
 * Named places in the flow of money. In production they are nothing; a process that a test starts
 * with `FAILPOINT=name` ends itself, as if by kill -9, when it first comes to that place.
 */
export type Failpoint = (name: string) => void

export const noFailpoint: Failpoint = () => {}

export function failpointNamed(wanted: string): Failpoint {
  return (name) => {
    if (name === wanted) process.kill(process.pid, 'SIGKILL')
  }
}
