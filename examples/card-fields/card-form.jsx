import { loadCheckout } from 'kaikei-client/checkout'
import { useEffect, useRef, useState } from 'react'

const names = ['card_number', 'expiry', 'cvv', 'cardholder']

export function CardForm({ base_url, app_token, onToken }) {
  const places = useRef({})
  const fields = useRef(null)
  const [errors, setErrors] = useState({})

  useEffect(() => {
    let is_left = false
    loadCheckout(base_url).then((kaikei) => {
      if (is_left) return
      fields.current = kaikei.fields({ app_token, fields: { ...places.current } })
      fields.current.addEventListener('change', ({ detail }) =>
        setErrors((known) => ({ ...known, [detail.field]: detail.error })),
      )
    })
    return () => {
      is_left = true
      fields.current?.unmount()
    }
  }, [base_url, app_token])

  async function save(event) {
    event.preventDefault()
    const email = new FormData(event.currentTarget).get('email')
    const id = await fields.current.createToken({ email }).catch(() => null)
    if (id) onToken(id)
  }

  return (
    <form onSubmit={save}>
      <label>
        Email <input name="email" type="email" autoComplete="email" required />
      </label>
      {names.map((name) => (
        <div
          key={name}
          ref={(element) => {
            if (element) places.current[name] = element
          }}
        />
      ))}
      <p role="alert">{Object.values(errors).find(Boolean)}</p>
      <button type="submit">Save card</button>
    </form>
  )
}
