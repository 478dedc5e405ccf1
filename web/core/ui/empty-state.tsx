import type { ReactNode } from 'react'

export type Scene = 'list' | 'search' | 'error' | 'lock' | 'mail' | 'done' | 'maintenance' | 'soon'

const marks: Record<Scene, ReactNode> = {
  list: <path d="M78 58h44M78 74h44M78 90h28" className="scene-line" />,
  search: (
    <>
      <circle cx="98" cy="70" r="17" className="scene-accent" />
      <path d="m111 83 13 13" className="scene-accent" />
    </>
  ),
  error: <path d="M100 52v26M100 92v.5" className="scene-accent thick" />,
  lock: (
    <>
      <rect x="82" y="68" width="36" height="28" rx="5" className="scene-accent" />
      <path d="M89 68v-8a11 11 0 0 1 22 0v8" className="scene-accent" />
    </>
  ),
  mail: <path d="M78 58h44v34H78zM78 60l22 18 22-18" className="scene-accent" />,
  maintenance: (
    <path d="M113 55a11 11 0 0 0-14 14L82 86l6 6 17-17a11 11 0 0 0 14-14l-6.500 6.500-6-6z" className="scene-accent" />
  ),
  soon: (
    <>
      <circle cx="100" cy="74" r="20" className="scene-accent" />
      <path d="M100 63v11l8 6" className="scene-accent" />
    </>
  ),
  done: <path d="m84 75 11 11 22-24" className="scene-accent thick" />,
}

function Illustration({ scene }: { scene: Scene }) {
  return (
    <svg viewBox="0 0 200 140" width="180" height="126" aria-hidden="true" focusable="false" className="scene">
      <ellipse cx="100" cy="124" rx="66" ry="6" className="scene-ground" />
      <circle cx="36" cy="44" r="5" className="scene-dot" />
      <circle cx="168" cy="32" r="7" className="scene-dot" />
      <path d="M158 96h12M164 90v12" className="scene-spark" />
      <rect x="46" y="34" width="80" height="78" rx="8" className="scene-back" transform="rotate(-7 86 73)" />
      <rect x="60" y="30" width="80" height="84" rx="8" className="scene-sheet" />
      {marks[scene]}
    </svg>
  )
}

export interface EmptyStateProps {
  title: string
  text?: ReactNode
  scene?: Scene
  /** The sensible next step. */
  action?: ReactNode
  /** The title is the heading of the page. */
  isHeading?: boolean
}

/** What stands where there is nothing to show. */
export function EmptyState({ title, text, scene = 'list', action, isHeading = false }: EmptyStateProps) {
  const Title = isHeading ? 'h1' : 'p'
  return (
    <div className="empty-state">
      <Illustration scene={scene} />
      <Title className="empty-title">{title}</Title>
      {text ? <p className="empty-text">{text}</p> : null}
      {action ? <div className="row empty-action">{action}</div> : null}
    </div>
  )
}
