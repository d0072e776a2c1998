/**
 * The symbols of Code 128 by value: widths in modules, starting with a bar, bars and spaces
 * alternating. 0 to 99 are pairs of digits in code set C; those up to 102 can only be check symbols
 * here.
 */
const symbols = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213
  221312 231212 112232 122132 122231 113222 123122 123221 223211 221132
  221231 213212 223112 312131 311222 321122 321221 312212 322112 322211
  212123 212321 232121 111323 131123 131321 112313 132113 132311 211313
  231113 231311 112133 112331 132131 113123 113321 133121 313121 211331
  231131 213113 213311 213131 311123 311321 331121 312113 312311 332111
  314111 221411 431111 111224 111422 121124 121421 141122 141221 112214
  112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141
  214121 412121 111143 111341 131141 114113 114311 411113 411311 113141
  114131 311141 411131 211412 211214 211232 2331112
`
  .trim()
  .split(/\s+/)

const start_c = 105
const stop = 106

/** The check symbol is the sum modulo this value, so it is one of the first 103. */
const check_modulus = 103

/** The bars of more digits are too wide for a handheld scanner. */
const max_digits = 60

/**
 * A number as the bars that a cash register scans; true is dark. The caller adds the quiet zone.
 *
 * Written by hand: the libraries either draw on a canvas, which a server does not have, or bring a
 * megabyte of every symbology there is. The one used here, Code 128 of pairs of digits, is a table.
 */
export function code128(digits: string): { modules: boolean[] } {
  if (digits.length > max_digits || !/^(\d\d)+$/.test(digits)) {
    throw new RangeError(`A bar code holds an even number of digits, at most ${max_digits}.`)
  }
  const pairs = (digits.match(/\d\d/g) ?? []).map(Number)
  const check = pairs.reduce((sum, pair, index) => sum + pair * (index + 1), start_c)
  const values = [start_c, ...pairs, check % check_modulus, stop]
  const modules = values.flatMap((value) =>
    [...(symbols[value] ?? '')].flatMap((width, index) =>
      Array<boolean>(Number(width)).fill(index % 2 === 0),
    ),
  )
  return { modules }
}
