import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BankOrder,
  bankFile,
  headerRecord,
  orderRecord,
  readBankFile,
  type Sender,
} from './bank-file.ts'
import { type BankField, bankBytes, bankText } from './bank-text.ts'

const sender: Sender = {
  code: '1234567890',
  name: 'ｶ)ｶｲｹｲ',
  bank_code: '0001',
  bank_name: 'ﾐｽﾞﾎ',
  branch_code: '001',
  branch_name: 'ﾄｳｷﾖｳ',
  account_type: 'ordinary',
  account_number: '1234567',
}
const orders: BankOrder[] = [
  {
    bank_code: '0005',
    bank_name: 'ﾐﾂﾋﾞｼUFJ',
    branch_code: '005',
    branch_name: 'ﾏﾙﾉｳﾁ',
    account_type: 'ordinary',
    account_number: '7654321',
    payee: 'ｶ)ﾃｽﾄｼﾖｳｼﾞ',
    amount: 9675,
    reference: 'TR-000001',
  },
  {
    bank_code: '0009',
    bank_name: 'ﾐﾂｲｽﾐﾄﾓ',
    branch_code: '001',
    branch_name: 'ﾎﾝﾃﾝ',
    account_type: 'current',
    account_number: '1000001',
    payee: 'ﾔﾏﾀﾞ ﾊﾅｺ',
    amount: 120_000,
    reference: ['1', '0'],
  },
]
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test.each([
  ['crlf', 610, 'a22d2bf265c44b866f8b4065a1cea83239ec9ea0d1ed16199a6a0c8dd2f0f8f6'],
  ['none', 600, '55cec5b30b13a217a148bc8f3368528e26b492854069afc6dfa989a2cc6b056a'],
] as const)(
  'a file with line ends "%s" is the published one, byte for byte',
  (line_end, size, sha256) => {
    const file = bankFile(headerRecord(sender, '2026-11-30'), orders.map(orderRecord), line_end)
    expect(file).toHaveLength(size)
    expect(hash(file)).toBe(sha256)
    expect(readBankFile(file)).toEqual({ count: 2, total: 129_675 })
  },
)

test('a file that was changed is seen', () => {
  const file = bankFile(headerRecord(sender, '2026-11-30'), orders.map(orderRecord), 'crlf')
  const other_amount = Buffer.from(file)
  other_amount[122 + 89] = 0x39
  expect(() => readBankFile(other_amount)).toThrow('sum')
  expect(() => readBankFile(file.subarray(0, -3))).toThrow('bytes')
  expect(() => readBankFile(Buffer.concat([file.subarray(0, 122), file]))).toThrow('order')
})

describe('characters', () => {
  test.each([
    ['山田', 'person', /山 田/],
    ['たかはし　がくぶ', 'person', 'ﾀｶﾊｼ ｶﾞｸﾌﾞ'],
    ['チャットワーク', 'person', 'ﾁﾔﾂﾄﾜ-ｸ'],
    ['㈱カイケイ', 'person', 'ｶ)ｶｲｹｲ'],
    ['カイケイ株式会社', 'person', 'ｶｲｹｲ(ｶ'],
    ['アオヤマ株式会社ハナブ', 'person', 'ｱｵﾔﾏ(ｶ)ﾊﾅﾌﾞ'],
    ['合同会社ミドリ', 'person', 'ﾄﾞ)ﾐﾄﾞﾘ'],
    ['Kaikei・Shop，Ltd．', 'person', 'KAIKEI.SHOP.LTD.'],
    ['ヲトメ', 'person', 'ｵﾄﾒ'],
    ['ヲトメ', 'reference', 'ｦﾄﾒ'],
    ['ヴィオラ', 'person', 'ｳﾞｲｵﾗ'],
    ['ﾊﾟﾝﾔ', 'person', 'ﾊﾟﾝﾔ'],
    ['みずほ', 'bank', 'ﾐｽﾞﾎ'],
    ['アﾞ', 'person', /voiced/],
    ['A&B', 'person', /&/],
    ['(A)', 'bank', /\( \)/],
    ['１２３－４５', 'person', '123-45'],
    ['「注文」', 'reference', /注 文/],
    ['「￥500」', 'reference', '｢\\500｣'],
  ] as const)('%s in a field for a %s', (given, field, expected) => {
    if (typeof expected === 'string') expect(bankText(given, field, 30)).toBe(expected)
    else expect(() => bankText(given, field, 30)).toThrow(expected)
  })

  test('a name that does not fit is refused, and never cut between a kana and its mark', () => {
    expect(bankText('ガ'.repeat(15), 'person', 30)).toHaveLength(30)
    expect(() => bankText('ガ'.repeat(16), 'person', 30)).toThrow('32 characters')
  })

  const allowed: Record<BankField, RegExp> = {
    bank: /^[\xb1-\xdfA-Z0-9 -]*$/,
    person: /^[\xb1-\xdfA-Z0-9 ().-]*$/,
    reference: /^[\xa6\xa2\xa3\xb1-\xdfA-Z0-9 \\()./-]*$/,
  }
  test.each(['bank', 'person', 'reference'] as const)(
    'no byte outside the allowed ones is ever in a field for a %s',
    (field) => {
      const japanese = fc.string({
        unit: fc.oneof(
          fc.constantFrom(...'アガパヴヲァッャーヵ・「」（株）株式会社ｱｶﾞﾊﾟｰ　￥，。ゔゎｦ'),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        ),
        maxLength: 20,
      })
      fc.assert(
        fc.property(japanese, (given) => {
          let text: string
          try {
            text = bankText(given, field, 30)
          } catch {
            return
          }
          const bytes = bankBytes(text)
          expect(bytes.length).toBeLessThanOrEqual(30)
          expect(bytes.toString('latin1')).toMatch(allowed[field])
        }),
        { numRuns: 20_000 },
      )
    },
  )
})
