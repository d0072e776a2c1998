import { useLanguage } from './language.tsx'
import { operationText } from './operation-words.ts'

export function useOperationText(): (operation: string) => string {
  const { language } = useLanguage()
  return (operation) => operationText(operation, language)
}
