import './choice.css'

interface ChoiceProps {
  label: string
  options: readonly (readonly [string, string])[]
  chosen: string
  choose: (name: string) => void
}

/** One of few, all of them in sight. */
export function Choice({ label, options, chosen, choose }: ChoiceProps) {
  return (
    <fieldset className="choice">
      <legend className="unseen">{label}</legend>
      {options.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => choose(name)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
