export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M11 8v16M21.5 8 12 16l9.5 8" />
      </svg>
      Kaikei
    </span>
  )
}
