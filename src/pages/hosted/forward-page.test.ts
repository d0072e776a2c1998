import { expect, test } from 'vitest'
import { online } from '../../../test/support/pages/hosted-views.ts'
import { renderHosted } from './render-hosted.ts'

test('a page of the provider that is called by GET is a link with its whole query', () => {
  const form = {
    url: 'https://pay.example/start?shop=7',
    method: 'get',
    fields: { id: 'a&b' },
  } as const
  const view = { ...online, kind: 'forward', brand: 'alipay_online', form } as const
  const page = renderHosted(view, 'en')
  expect(page).toContain('href="https://pay.example/start?shop=7&amp;id=a%26b"')
  expect(page).not.toContain('<form')
})
