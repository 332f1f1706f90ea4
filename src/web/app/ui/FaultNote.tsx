/** @module web/ui/FaultNote - a refused or unanswered call, with what a person can do about it. */
import { visible } from '../model/visible.js'
import type { ApiFault } from '../net/http.js'

export function FaultNote({ fault }: { fault: ApiFault }) {
  return (
    <div className="fault" role="alert" data-testid="fault" data-code={fault.code}>
      <span>{visible(fault.message)}</span>
      {fault.hint !== null && <span className="fault-hint">{visible(fault.hint)}</span>}
    </div>
  )
}
