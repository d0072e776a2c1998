import { enableCopy } from '../design/copy.js'
import { highlight } from '../design/highlight.js'

for (const button of document.querySelectorAll('.copy')) {
  const code = button.closest('.card').querySelector('code')
  enableCopy(button, () => code.textContent, button.dataset.copied)
}
highlight(document)
