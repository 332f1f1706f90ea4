/** @module web/ui/composer/ImageTray - the images that go with the message, and why others do not. */
import type { Draft } from '../../state/drafts.js'
import { useApp } from '../hooks.js'

export function ImageTray({ sessionId, draft }: { sessionId: string; draft: Draft }) {
  const app = useApp()
  const { images, imageNote, sending } = draft
  return (
    <>
      {imageNote !== null && (
        <p className="fault" role="alert" data-testid="image-note">
          {imageNote}
        </p>
      )}
      {images.length > 0 && (
        <ul className="image-tray" aria-label="Images of the message" data-testid="image-tray">
          {images.map(({ id, name, thumbnail }) => (
            <li key={id} data-testid="image">
              <img src={thumbnail} alt={name} title={name} />
              <button
                type="button"
                className="image-remove"
                aria-label={`Remove ${name}`}
                disabled={sending}
                onClick={() => app.messages.removeImage(sessionId, id)}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {draft.reading > 0 && (
        <p className="muted composer-note" role="status">
          Reading the images…
        </p>
      )}
      {images.length > 0 && draft.text.trim() === '' && (
        <p className="muted composer-note">Write a text to send with the images.</p>
      )}
    </>
  )
}
