import { type ComponentChildren, h } from 'preact'

type Props = {
  /** The path of the stream. All parts of a page with the same path share one stream. */
  src: string
  /** The name of the stream's events that replace the content. */
  name: string
  children: ComponentChildren
}

/** A part of the page that the server keeps up to date. It must contain no inputs. */
export const LivePart = ({ src, name, children }: Props) => h('live-part', { src, name }, children)
