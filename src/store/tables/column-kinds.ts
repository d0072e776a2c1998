import type { ColumnType } from 'kysely'

/** A JSON column: read as a value, written as text so that arrays and nulls stay JSON. */
export type JsonColumn<T> = ColumnType<T, string, string>
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>
/** A column that the database fills when nothing is given. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
