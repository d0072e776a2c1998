/** A promise with its resolve functions. */
export interface Promised<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: Error): void
}

export function promised<T>(): Promised<T> {
  let parts: Pick<Promised<T>, 'resolve' | 'reject'> | null = null
  const promise = new Promise<T>((resolve, reject) => {
    parts = { resolve, reject }
  })
  return Object.assign(parts ?? { resolve: () => {}, reject: () => {} }, { promise })
}
