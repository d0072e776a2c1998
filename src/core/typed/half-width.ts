/**
 * Digits as a Japanese keyboard types them, in half width: `４２` is `42`, `／` is `/`, and every dash, minus
 * and long vowel mark is `-`. Browsers get the source of this function, so it uses nothing outside itself.
 */
export function halfWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replace(/[\u2010-\u2015\u2212\u2500\u30fc\uff70]/g, '-')
    .replace(/[\u3002\uff61]/g, '.')
    .replace(/[\u3001\uff64]/g, ',')
}
