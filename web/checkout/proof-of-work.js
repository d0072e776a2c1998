// The work that the service asks for when many cards of a shop were declined: a number that makes the hash of
// `nonce:number` begin with zero bits. Written here because the browser's own SHA-256 needs https and a promise
// for each of some hundred thousand texts.

const primes = []
for (let n = 2; primes.length < 64; n += 1) {
  if (primes.every((prime) => n % prime !== 0)) primes.push(n)
}
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0
const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const constants = primes.map((prime) => fraction(Math.cbrt(prime)))
const turn = (x, by) => (x >>> by) | (x << (32 - by))
const words = new Int32Array(64)

/** Adds a block of 64 bytes, which stand in `words`, to the state. */
function mix(state) {
  for (let i = 16; i < 64; i += 1) {
    const a = words[i - 15]
    const b = words[i - 2]
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
    words[i] = (words[i - 16] + low + words[i - 7] + high) | 0
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i += 1) {
    const sum = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const one = (h + sum + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  return [a, b, c, d, e, f, g, h].map((value, at) => (value + state[at]) | 0)
}

/** The first 32 bits of the SHA-256 of an ASCII text. */
export function hashStart(text) {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64)
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i)
  bytes[text.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 4, text.length * 8)
  let state = start
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + i * 4)
    state = mix(state)
  }
  return state[0]
}

/** Works in short pieces, so that the page stays usable. */
export async function solve({ nonce, bits }) {
  for (let number = 0; ; ) {
    const until = performance.now() + 20
    while (performance.now() < until) {
      const answer = `${nonce}:${number}`
      if (Math.clz32(hashStart(answer)) >= bits) return answer
      number += 1
    }
    await new Promise((next) => setTimeout(next))
  }
}
