/** @module web/ui/MenuButton - opens the list of sessions on narrow screens. */
export function MenuButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="icon-button menu-button" aria-label="Sessions" onClick={onClick}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <path d="M3 5.5h14M3 10h14M3 14.5h14" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </button>
  )
}
