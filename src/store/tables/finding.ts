/** The result of a check. */
export interface Finding {
  readonly check: string
  /** The faults and the advice for each; an empty list means everything is well. */
  readonly faults: string[]
  /** An allowed state that the operator should know about. */
  readonly warnings?: string[]
  /** A line of the checklist of live mode: the fault is missing. */
  readonly is_live?: boolean
}
