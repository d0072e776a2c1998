import { loadCheckout } from 'kaikei-client/checkout'
import { defineComponent, onBeforeUnmount, onMounted, ref } from 'vue'

export const CardForm = defineComponent({
  props: { base_url: String, app_token: String },
  emits: ['token'],
  setup(props, { emit }) {
    const form = ref(null)
    const errors = ref({})
    let fields = null

    onMounted(async () => {
      const kaikei = await loadCheckout(props.base_url)
      const [card_number, expiry, cvv, cardholder] = form.value.querySelectorAll('div')
      const places = { card_number, expiry, cvv, cardholder }
      fields = kaikei.fields({ app_token: props.app_token, fields: places })
      fields.addEventListener('change', ({ detail }) => {
        errors.value[detail.field] = detail.error
      })
    })
    onBeforeUnmount(() => fields?.unmount())

    async function save() {
      const email = new FormData(form.value).get('email')
      const id = await fields.createToken({ email }).catch(() => null)
      if (id) emit('token', id)
    }
    return { form, errors, save }
  },
  template: `
    <form ref="form" @submit.prevent="save">
      <label>Email <input name="email" type="email" autocomplete="email" required /></label>
      <div></div><div></div><div></div><div></div>
      <p role="alert">{{ Object.values(errors).find(Boolean) }}</p>
      <button type="submit">Save card</button>
    </form>`,
})
