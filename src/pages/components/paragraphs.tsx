/** A person's plain text as paragraphs. An empty line starts a paragraph, others start a line. */
export const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text
      .split(/\n\s*\n/)
      .filter((part) => part.trim() !== '')
      .map((part) => (
        <p key={part} class="plain-text">
          {part.trim()}
        </p>
      ))}
  </>
)
