import { PlainError } from '../../core/api/plain-error.ts'

/** The form of an argument or option. A merchant is an id, or `demo`. */
export type Kind = 'text' | 'id' | 'merchant' | 'number'

interface Given {
  readonly kind?: Kind
  readonly choices?: readonly string[]
}

export interface Argument extends Given {
  readonly name: string
  readonly optional?: true
  readonly many?: true
}

export interface Option extends Given {
  /** The placeholder of its value in the usage; without one the option is a switch. */
  readonly value?: string
  readonly many?: true
  readonly required?: true
  /** Given by the program itself, not by people. */
  readonly internal?: true
  readonly meaning: string
}

export interface Command {
  readonly arguments?: readonly Argument[]
  readonly options?: Readonly<Record<string, Option>>
  readonly meaning: string
  readonly help?: string
  readonly examples?: readonly string[]
}

/** The command line is wrong: the message says what, and the exit code is 2. */
export class UsageError extends PlainError {}
