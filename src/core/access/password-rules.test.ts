import { expect, test } from 'vitest'
import { passwordFault, plainPassword } from './password-rules.ts'

const email = 'hanako@shop.example'

test.each([
  ['eleven char', 'short'],
  ['x7'.repeat(65), 'long'],
  ['so-hanako@shop.example-9', 'email'],
  ['HANAKO and 9 cats', 'email'],
  ['password1234', 'common'],
  ['Password123!', 'common'],
  ['P@ssw0rd!!2024', 'common'],
  ['passwordpassword', 'common'],
  ['qwertyuiop123', 'common'],
  ['1234567890123', 'common'],
  ['123456789012', 'common'],
  ['987654321098', 'common'],
  ['abcdefghijkl', 'common'],
  ['aaaaaaaaaaaaaa', 'common'],
  ['abababababab', 'common'],
  ['ｐａｓｓｗｏｒｄ１２３４', 'common'],
  ['Welcome12345!', 'common'],
  ['changeme2026!', 'common'],
  ['asdfghjkl 2026', 'common'],
])('the password "%s" is refused: %s', (password, reason) => {
  expect(passwordFault(password, email)).toBe(reason)
})

test.each([
  'correct horse battery',
  'tulip-47-garden',
  '9r2Kx!vv0Qm#',
  '雨が降っても傘をささない人',
  '4815162342 lost',
  '9$4!7&2@5^1x',
  `${'x7'.repeat(32)}abc`,
])('the password "%s" can be chosen', (password) => {
  expect(passwordFault(password, email)).toBeNull()
})

test('a password is the same however it was typed', () => {
  expect(plainPassword('ﾊﾟｽﾜｰﾄﾞ é')).toBe(plainPassword('パスワード e\u0301'))
})
