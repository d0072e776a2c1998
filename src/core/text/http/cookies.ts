/** The values of all cookies with a name, in their order. */
export function cookiesNamed(header: string | undefined, name: string): string[] {
  const start = `${name}=`
  return (header ?? '')
    .split(/;\s*/)
    .flatMap((part) => (part.startsWith(start) ? part.slice(start.length) : []))
}
