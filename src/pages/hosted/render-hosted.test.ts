import { describe, expect, test } from 'vitest'
import {
  bank_transfer,
  end,
  konbini,
  online,
  qr,
  readingOf,
  three_ds,
  valuesOf,
  views,
} from '../../../test/support/pages/hosted-views.ts'
import { konbini_guides } from '../../methods/konbini/konbini-guides.ts'
import { moneyText } from './hosted-parts.ts'
import { type EndView, type HostedView, languages } from './hosted-view.ts'
import { renderHosted } from './render-hosted.ts'
import { hosted_texts } from './texts/hosted-texts.ts'
import { linesIn, wordsIn } from './texts/method-words.ts'

// Pages are tested here as text. Their look, and what a browser does with them, is tested in the browser.
const ends = Object.keys(hosted_texts.en.end) as EndView['end'][]

describe.each(languages)('in %s', (language) => {
  const texts = hosted_texts[language]
  const render = (view: HostedView) => renderHosted(view, language)
  const read = (view: HostedView) => readingOf(render(view))
  const yen = (text: string) => {
    const money = { amount: Number(text.replaceAll(',', '')), currency: 'JPY' }
    return moneyText(money, { language, texts, time_zone: 'Asia/Tokyo' })
  }

  test.each(views)('$kind is a whole document with one heading and our own files', (view) => {
    const page = render(view)
    expect(page).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${language}">`))
    for (const once of ['<h1>', '<main', '<title>', 'rel="stylesheet"', 'name="viewport"']) {
      expect(page.split(once), once).toHaveLength(2)
    }
    expect(page).not.toMatch(/<style|<base|<iframe|\sstyle=|\son\w+=|https?:\/\/(?!shop)/i)
    const scripts = page.match(/<script[^>]*>[^<]*/g) ?? []
    expect(scripts).toEqual([
      expect.stringMatching(
        /^<script type="module" fetchpriority="low" src="\/assets\/\w+\/hosted\/hosted\.js">$/,
      ),
    ])
    expect(page).toContain('<link rel="icon" href="/favicon.ico"')
    expect(readingOf(page)).not.toMatch(/undefined|null|NaN|\[object/)
  })

  test.each(views)('$kind can be read in the other languages', (view) => {
    const addresses = valuesOf(render(view), 'href')
    for (const other of languages) {
      expect(addresses.includes(`?language=${other}`)).toBe(other !== language)
    }
  })

  test.each(views)('$kind says that it is a test, in test mode only', (view) => {
    const banner = texts.test_banner.sentence
    const knows_mode = 'test_mode' in view
    expect(read(view).includes(banner)).toBe(knows_mode)
    if (knows_mode) expect(read({ ...view, test_mode: false })).not.toContain(banner)
  })

  test('an online payment is paid, declined or left', () => {
    const page = render(online)
    const reading = readingOf(page)
    const pay = texts.online.pay(yen('1,000'))
    for (const word of ['PayPay', 'Tea House', yen('1,000'), pay, texts.trial.heading]) {
      expect(reading).toContain(word)
    }
    expect(page).toContain('<form method="post" action="/pay/abc">')
    expect(valuesOf(page, 'value')).toEqual(['successful', 'failed', 'abandoned'])
    expect(read({ ...online, money: null })).toContain(texts.online.pay_nothing)
  })

  test('the time is that of the shop, and says so', () => {
    for (const view of [online, qr, konbini, bank_transfer, three_ds]) {
      const reading = read(view)
      const zone = `(${texts.japan_time})`
      for (const word of ['22', '23:59', zone]) expect(reading, view.kind).toContain(word)
      expect(valuesOf(render(view), 'datetime')).toEqual(['2026-11-22T14:59:59.000Z'])
      const elsewhere = read({ ...view, time_zone: 'America/New_York' })
      expect(elsewhere, view.kind).toContain('09:59')
    }
  })

  test('a code is shown to be scanned, and the customer can check', () => {
    const page = render(qr)
    expect(valuesOf(page, 'src')).toContain('/codes/abc.svg')
    expect(valuesOf(page, 'alt')).toContain(texts.qr.image('PayPay'))
    const links = valuesOf(page, 'href')
    expect(links).toContain('?checked=1#checked')
    expect(links).toContain('/wallets/abc')
    expect(valuesOf(render({ ...qr, wallet_path: null }), 'href')).not.toContain('/wallets/abc')
  })

  test.each([qr, konbini, bank_transfer])('$kind says after a check that nothing came', (view) => {
    const checked_on = new Date('2026-11-20T05:03:00Z')
    const reported = texts.not_yet.title('14:03').replaceAll('\u00a0', ' ')
    expect(read(view)).not.toContain(reported)
    const reading = read({ ...view, checked_on })
    expect(reading).toContain(reported)
    expect(reading).toContain(texts.not_yet[view.kind])
  })

  test('a convenience store gets the numbers that it asks for, and bars to scan', () => {
    const page = render(konbini)
    const reading = readingOf(page)
    const { numbers, steps } = konbini_guides.family_mart
    const names = numbers.map(([, name]) => wordsIn(name, language))
    const chain = language === 'ja' ? 'ファミリーマート' : 'FamilyMart'
    for (const word of [
      chain,
      '山田 花子',
      '12345678901',
      '20020',
      ...names,
      ...linesIn(steps, language),
    ]) {
      expect(reading).toContain(word)
    }
    expect(page).toContain('<span>1234</span><span>5678</span><span>901</span>')
    // Start, six pairs, check symbol and stop are 101 modules; ten on each side stay empty.
    expect(page).toContain('viewBox="0 0 121 100"')
    expect(page).toContain(' d="M10 0h2v100h-2z')
    expect(valuesOf(page, 'value')).toEqual(['20020', '12345678901', 'successful'])
    expect(render({ ...konbini, test_mode: false })).not.toContain('<form')
    expect(read({ ...konbini, company_code: null })).not.toContain(names[0])
  })

  test('a payment method without a store counter has nothing to scan', () => {
    const page = render({ ...konbini, convenience_store: 'pay_easy' })
    expect(page).toContain(`>${texts.konbini.test_pay.machine}</button>`)
    expect(page).not.toContain('class="code bars"')
    expect(readingOf(page)).toContain(wordsIn(konbini_guides.pay_easy.heading, language))
  })

  test('a bank transfer names the account, to be copied, and what may be sent', () => {
    for (const match_amount of ['exact', 'minimum', 'maximum', 'disabled'] as const) {
      const page = render({ ...bank_transfer, match_amount, test_mode: false })
      expect(readingOf(page)).toContain(texts.bank_transfer.rule[match_amount](yen('1,000')))
      const values = ['あおぞら銀行', '0398', 'フリージア支店', '512', '1234567', 'チャヤ', '1000']
      expect(valuesOf(page, 'value')).toEqual(values)
      expect(readingOf(page)).not.toContain(texts.bank_transfer.received)
    }
  })

  test('a bank transfer in parts shows what has arrived and what is missing', () => {
    const page = render({ ...bank_transfer, received: 400 })
    expect(readingOf(page)).toContain(`${texts.bank_transfer.received}${yen('400')}`)
    expect(readingOf(page)).toContain(`${texts.bank_transfer.missing}${yen('600')}`)
    expect(valuesOf(page, 'value').filter((value) => value === '600')).toHaveLength(2)
    expect(valuesOf(page, 'name').slice(-2)).toEqual(['amount', 'name'])
    expect(read({ ...bank_transfer, received: 1200 })).not.toContain(texts.bank_transfer.missing)
    expect(render({ ...bank_transfer, test_mode: false })).not.toContain('<form')
  })

  test.each([
    ['too_little', 800, 200, 800],
    ['too_much', 1200, 200, 1200],
    ['surplus', 1200, 200, 200],
  ] as const)('money that was %s is shown', (reason, amount, difference, returned_amount) => {
    const arrived_on = new Date('2026-11-20T05:03:00Z')
    const status = 'returning' as const
    const returned = [{ amount, difference, returned_amount, reason, status, arrived_on }]
    const view = reason === 'surplus' ? { ...end, returned } : { ...bank_transfer, returned }
    const reading = read(view)
    const day = new Intl.DateTimeFormat(language, {
      ...({ month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
      ...({ hourCycle: 'h23', timeZone: 'Asia/Tokyo' } as const),
    }).format(arrived_on)
    const in_text = (number: number) => yen(number.toLocaleString('en'))
    const given = {
      amount: in_text(amount),
      difference: in_text(difference),
      returned: in_text(returned_amount),
      day,
      store: 'Tea House',
    }
    expect(reading).toContain(texts.returned.reasons[reason](given))
    expect(reading).toContain(texts.returned.states.returning(given))
  })

  test('the bank of a card asks about a payment or about the card', () => {
    const page = render(three_ds)
    const brand = language === 'ja' ? 'アメリカン・エキスプレス' : 'American Express'
    const card = texts.three_ds.card_ending(brand, '0005').replace('\u00a0', ' ')
    expect(readingOf(page)).toContain(card)
    expect(readingOf(page)).toContain('Tea House')
    expect(valuesOf(page, 'value')).toEqual(['successful', 'failed', 'abandoned'])
    const reading = read({ ...three_ds, money: null })
    expect(reading).toContain(texts.three_ds.question.no_money('Tea House'))
    expect(reading).not.toContain(texts.amount)
  })

  test.each(ends)('the end "%s" says what happened and leads back', (kind) => {
    const page = render({ ...end, end: kind })
    expect(page).toContain(`<h1>${texts.end[kind].heading}</h1>`)
    expect(readingOf(page)).toContain(texts.back('Tea House'))
    expect(valuesOf(page, 'href')).toContain('https://shop.example/back')
    expect(render({ ...end, end: kind, return_url: null })).not.toContain('class="button')
    expect(read({ ...end, end: kind, money: null })).not.toMatch(/1,000/)
  })

  test('a payment that was made has a receipt, and no other end has', () => {
    const id = end.receipt_number ?? ''
    const page = render({ ...end, refunded_amount: 300 })
    const dates = {
      en: 'November 20, 2026, 12:04 (JST)',
      ja: '2026年11月20日(金) 12:04 (日本時間)',
      'zh-Hans': '2026年11月20日周五 12:04 (日本时间)',
      'zh-Hant': '2026年11月20日週五 12:04 (日本時間)',
      ko: '2026년 11월 20일 금 12:04 (일본 시간)',
    }
    const date = dates[language]
    for (const word of [id, 'PayPay', date, yen('300')]) expect(readingOf(page)).toContain(word)
    expect(valuesOf(page, 'value')).toEqual([id])
    expect(read({ ...end, end: 'declined' })).not.toContain(id)
  })

  test('an unknown page reveals nothing, and says what to do', () => {
    const reading = read({ kind: 'nobody' })
    const { heading, sentence } = texts.nobody
    const others = languages
      .filter((one) => one !== language)
      .map((one) => hosted_texts[one].language)
    const ours = [texts.language, ...others, heading, sentence, texts.service].join('')
    expect(reading.replaceAll(/\s/g, '')).toBe(ours.replaceAll(/\s/g, ''))
  })

  test('every sentence is in the language, and says what it was given', () => {
    const given = { ...texts, language: '', service: '', copied: '', copy: '', japan_time: '' }
    const script = { en: /[a-z]/, ja: /[\u3040-\u30ff\u4e00-\u9fff]/, ko: /[\uac00-\ud7a3]/ }
    const chinese = /[\u4e00-\u9fff]/
    const own = language === 'zh-Hans' || language === 'zh-Hant' ? chinese : script[language]
    const foreign = { en: script.ja, ja: script.ko, ko: script.ja }
    const others = language in foreign ? foreign[language as 'en'] : /[\u3040-\u30ff\uac00-\ud7a3]/
    for (const sentence of sentencesOf(given).filter((text) => text !== '')) {
      // The Japanese words of a screen or for the counter are in brackets.
      const plain = sentence.replaceAll(/\([^)]*\)|（[^）]*）/g, '')
      if (!/^[XY]*$/.test(plain)) expect(plain).toMatch(own)
      expect(plain).not.toMatch(others)
    }
  })
})

function sentencesOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts === 'function') return [String(texts('X', 'Y'))]
  return Object.values(texts ?? {}).flatMap(sentencesOf)
}

test('a shop has its logo and its color, and texts can be read on every color', () => {
  const logo_url = 'https://shop.example/logo.png'
  const page = renderHosted({ ...online, logo_url, main_color: '#ffff00' }, 'en')
  expect(valuesOf(page, 'src')).toContain(logo_url)
  expect(page).toContain('--button:#ffff00;--on-button:#000000')
  expect(renderHosted({ ...online, logo_url: 'javascript:alert(1)' }, 'en')).not.toContain('alert')
  expect(renderHosted({ ...online, main_color: 'red}' }, 'en')).not.toContain('<style')
})

test.each([
  [{ amount: 1000, currency: 'JPY' }, '¥1,000', '1,000円'],
  [{ amount: 123456, currency: 'USD' }, '$1,234.56', '1,234.56米ドル'],
  [{ amount: 5, currency: 'USD' }, '$0.05', '0.05米ドル'],
  // Intl follows everyday use without decimals here; the standard, and so our amounts, have them.
  [{ amount: 100050, currency: 'HUF' }, 'HUF 1,000.50', '1,000.50ハンガリー フォリント'],
  [{ amount: 1000500, currency: 'KWD' }, 'KWD 1,000.500', '1,000.500クウェート ディナール'],
])('%j is written %s and %s', (money, english, japanese) => {
  expect(readingOf(renderHosted({ ...online, money }, 'en'))).toContain(english)
  expect(readingOf(renderHosted({ ...online, money }, 'ja'))).toContain(japanese)
})
