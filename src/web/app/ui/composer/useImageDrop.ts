/** @module web/ui/composer/useImageDrop - files that are dropped anywhere on the page go to the composer. */
import { useEffect } from 'react'

/** Without it a browser leaves the page and shows the file. */
export function useImageDrop(enabled: boolean, onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      event.dataTransfer.dropEffect = enabled ? 'copy' : 'none'
    }
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      if (enabled) onFiles(files)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [enabled, onFiles])
}
