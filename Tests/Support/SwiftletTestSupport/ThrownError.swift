/// Returns the error of type `Failure` that a call throws, so that its parts can be checked, or `nil` if it throws no
/// error or another one.
package func thrownError<Failure: Error, Value>(_ body: () throws -> Value) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}
