/** The result of a check. */
export interface Finding {
  readonly check: string
  /** What is wrong and what to do about it; an empty list means everything is well. */
  readonly faults: string[]
  /** What is allowed but should be known. */
  readonly warnings?: string[]
  /** A line of the checklist of live mode: what is wrong is missing. */
  readonly is_live?: boolean
}
