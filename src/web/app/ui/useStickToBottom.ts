/** @module web/ui/useStickToBottom - follows growing content, but only for a person who is at its end. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Distance from the end, in pixels, that still counts as being there. */
const NEAR = 24

export interface Sticky {
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>
  /** The element in it that grows. */
  readonly content: RefObject<HTMLDivElement | null>
  readonly atEnd: boolean
  readonly toEnd: () => void
}

export function useStickToBottom(): Sticky {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  const [atEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    stuck.current = true
    setAtEnd(true)
    const box = scroller.current
    if (box !== null) box.scrollTop = box.scrollHeight
  }, [])

  useEffect(() => {
    const box = scroller.current
    const inner = content.current
    if (box === null || inner === null) return
    let last = box.scrollTop
    const scrolled = () => {
      const distance = box.scrollHeight - box.scrollTop - box.clientHeight
      // Upward is a person's wish, however small the step; a shrinking page ends at the end by itself.
      if (distance <= 1) stuck.current = true
      else if (box.scrollTop < last) stuck.current = false
      else if (distance <= NEAR) stuck.current = true
      last = box.scrollTop
      setAtEnd(stuck.current || distance <= NEAR)
    }
    const grown = new ResizeObserver(() => {
      if (stuck.current) box.scrollTop = box.scrollHeight
      else setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR)
    })
    grown.observe(inner)
    grown.observe(box)
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      grown.disconnect()
      box.removeEventListener('scroll', scrolled)
    }
  }, [])

  return { scroller, content, atEnd, toEnd }
}
