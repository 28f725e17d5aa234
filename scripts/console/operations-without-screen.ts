/** The reasons why people do not need an operation in the console, by operation ID. */
export const operationsWithoutScreen: Readonly<Record<string, string>> = {}
