import { useEffect, useState } from 'react'
import { api_address } from '../../../api/call-api.ts'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Choice } from '../../../parts/forms/choice.tsx'
import { useLanguage, useWords } from '../../../words/language.tsx'
import type { AppearanceValues } from './appearance-data.ts'
import { appearance_words } from './appearance-words.ts'

const typing_ms = 400

/** What is typed, a moment after the last key. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typing_ms)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The real page with sample goods, in a frame in which nothing runs. */
export function AppearancePreview({ values }: { values: AppearanceValues }) {
  const words = useWords(appearance_words)
  const { language } = useLanguage()
  const { stores, store_id } = useStoreChoice()
  const [width, setWidth] = useState('phone')
  const query = useSettled(new URLSearchParams({ ...values, language }).toString())
  const of_store = store_id ?? stores[0]?.id
  if (!of_store) return null
  return (
    <section className="preview" aria-label={words.preview}>
      <div className="section-head">
        <h2>{words.preview}</h2>
        <Choice
          label={words.preview}
          options={Object.entries(words.widths)}
          chosen={width}
          choose={setWidth}
        />
      </div>
      <div className={`preview-frame ${width}`}>
        <iframe
          title={words.preview_of}
          sandbox="allow-same-origin"
          src={`${api_address}/stores/${of_store}/checkout_preview?${query}`}
        />
      </div>
    </section>
  )
}
