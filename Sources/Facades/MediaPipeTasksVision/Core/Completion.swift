/// Calls `completion` with what `work` gives or throws, before it returns.
func tell<Value>(_ completion: (Value?, (any Error)?) -> Void, _ work: () throws -> Value) {
  switch Result(catching: work) {
  case .success(let value): completion(value, nil)
  case .failure(let error): completion(nil, error)
  }
}
