import { type ErrorCode, Failure, type FieldError } from './errors.ts'

/** An error for the person who ran the command: its message is all they need to see. */
export class PlainError extends Error {}

/** An error of an operation that commands and the API share: a sentence for one, a code for the other. */
export class InputError extends PlainError {
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]

  constructor(message: string, code: ErrorCode, errors: readonly FieldError[] = []) {
    super(message)
    this.code = code
    this.errors = errors
  }
}

/** A sentence that a command prints is a code and a list of wrong fields in the API. */
export async function answeringInput<T>(operation: Promise<T>): Promise<T> {
  return operation.catch((error) => {
    if (!(error instanceof InputError)) throw error
    const { code, errors, message } = error
    throw new Failure(code, { message, errors: [...errors] })
  })
}
