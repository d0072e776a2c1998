import { qrImage, qrSvg } from '../../../../../src/core/text/formats/qr-image.ts'
import type { PaymentLink } from '../../../api/call-api.ts'
import { saveFile } from '../../../api/save-file.ts'
import { Button } from '../../../parts/forms/button.tsx'
import { Icon } from '../../../parts/values/icon.tsx'
import { useCopy } from '../../../parts/values/id-text.tsx'
import { useWords } from '../../../words/language.tsx'
import { checkout_words } from '../checkout-words.ts'

/** Whole pixels: all modules are equally large. */
const module_px = 5

/** The address of a link to copy or open, and the same as a QR code. */
export function ShareLink({ link: { url, name } }: { link: PaymentLink }) {
  const words = useWords(checkout_words)
  const [is_copied, copy] = useCopy()
  const { size, path } = qrImage(url)
  const download = () =>
    saveFile(new Blob([qrSvg(url)], { type: 'image/svg+xml' }), `${fileName(name)}.svg`)
  const downloadPng = async () => saveFile(await qrPng(url), `${fileName(name)}.png`)
  const text = encodeURIComponent(words.share_text(name, url))
  const mail = `mailto:?subject=${encodeURIComponent(name)}&body=${text}`
  return (
    <section className="share">
      <h2>{words.share}</h2>
      <div className="share-code">
        <svg
          width={size * module_px}
          height={size * module_px}
          viewBox={`0 0 ${size} ${size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label={words.qr}
        >
          <path d={path} />
        </svg>
      </div>
      <p className="share-url">{url}</p>
      <div className="share-actions">
        <Button kind="primary" icon={is_copied ? 'check' : 'copy'} onClick={() => copy(url)}>
          {is_copied ? words.copied : words.copy}
        </Button>
        <a className="button plain" href={url} target="_blank" rel="noreferrer">
          <Icon name="external" />
          {words.open}
        </a>
        <a className="button plain" href={mail}>
          {words.share_mail}
        </a>
        <a
          className="button plain"
          href={`https://line.me/R/share?text=${text}`}
          target="_blank"
          rel="noreferrer"
        >
          {words.share_line}
        </a>
        <Button icon="download" onClick={download}>
          {words.download}
        </Button>
        <Button icon="download" onClick={() => void downloadPng()}>
          {words.download_png}
        </Button>
      </div>
      <p className="share-note">{words.share_mail_note}</p>
    </section>
  )
}

/** Large enough to print, in whole pixels for each module. */
const png_module_px = 16

/** The QR code as a picture for chats and documents that take no SVG. */
async function qrPng(url: string): Promise<Blob> {
  const { size, path } = qrImage(url)
  const canvas = document.createElement('canvas')
  canvas.width = size * png_module_px
  canvas.height = canvas.width
  const context = canvas.getContext('2d')
  if (context) {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.scale(png_module_px, png_module_px)
    context.fillStyle = '#000'
    context.fill(new Path2D(path))
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture.'))), 'image/png'),
  )
}

/** The name of the link, without what names of files cannot have. */
function fileName(name: string): string {
  return name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, ' ').trim() || 'qr-code'
}
