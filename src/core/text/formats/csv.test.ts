import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  [['a', 1, -2, true, null], 'a,1,-2,true,'],
  [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
  [
    ['=HYPERLINK("x")', '+1', '-1', '@sum', '\tx', '\r='],
    `"'=HYPERLINK(""x"")",'+1,'-1,'@sum,'\tx,"'\r="`,
  ],
  [['＝1+1', '＋1', '－1', '＠sum', '\n=1', '﹦1'], `'＝1+1,'＋1,'－1,'＠sum,"'\n=1",'﹦1`],
  [['full １＋１', '(－1)', 'ー1'], 'full １＋１,(－1),ー1'],
])('%j is written so that no cell is a formula or breaks the line', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`)
})
