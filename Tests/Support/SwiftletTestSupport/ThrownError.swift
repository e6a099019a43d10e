/// The error of type `Failure` that a call throws, so that its parts can be looked at; `nil` when it throws none, or
/// another.
package func thrownError<Failure: Error, Value>(_ body: () throws -> Value) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}
