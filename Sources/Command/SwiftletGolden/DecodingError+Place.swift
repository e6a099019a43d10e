extension DecodingError {
  /// Where in a document something is wrong, and what: `models.[3] lacks "cases"`.
  package var placeAndReason: String {
    switch self {
    case .keyNotFound(let key, let context): "\(Self.place(context)) lacks \"\(key.stringValue)\""
    case .typeMismatch(let type, let context): "\(Self.place(context)) is not \(type)"
    case .valueNotFound(let type, let context): "\(Self.place(context)) is null, expected \(type)"
    case .dataCorrupted(let context): "\(Self.place(context)): \(context.debugDescription)"
    @unknown default: "the document cannot be read"
    }
  }

  private static func place(_ context: Context) -> String {
    context.codingPath.isEmpty
      ? "the document"
      : context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
