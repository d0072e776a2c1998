import { expect, test } from 'vitest'
import { passwordFault, plainPassword } from './password-rules.ts'

const email = 'hanako@shop.example'

test.each([
  ['eleven char', 'at least 12'],
  ['x7'.repeat(65), 'at most 128'],
  ['so-hanako@shop.example-9', 'e-mail'],
  ['HANAKO and 9 cats', 'e-mail'],
  ['password1234', 'easy'],
  ['Password123!', 'easy'],
  ['P@ssw0rd!!2024', 'easy'],
  ['passwordpassword', 'easy'],
  ['qwertyuiop123', 'easy'],
  ['1234567890123', 'easy'],
  ['123456789012', 'easy'],
  ['987654321098', 'easy'],
  ['abcdefghijkl', 'easy'],
  ['aaaaaaaaaaaaaa', 'easy'],
  ['abababababab', 'easy'],
  ['ｐａｓｓｗｏｒｄ１２３４', 'easy'],
  ['Welcome12345!', 'easy'],
  ['changeme2026!', 'easy'],
  ['asdfghjkl 2026', 'easy'],
])('R73 the password "%s" is refused: %s', (password, reason) => {
  expect(passwordFault(password, email)).toContain(reason)
})

test.each([
  'correct horse battery',
  'tulip-47-garden',
  '9r2Kx!vv0Qm#',
  '雨が降っても傘をささない人',
  '4815162342 lost',
  '9$4!7&2@5^1x',
  `${'x7'.repeat(32)}abc`,
])('R73 the password "%s" can be chosen', (password) => {
  expect(passwordFault(password, email)).toBeNull()
})

test('a password is the same however it was typed', () => {
  expect(plainPassword('ﾊﾟｽﾜｰﾄﾞ é')).toBe(plainPassword('パスワード e\u0301'))
})
