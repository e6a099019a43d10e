/// Options that the library does not know: a name and a pointer, in a chain.
///
/// - Thread safety: one caller at a time.
public final class OpaqueOptions {
  /// What the chain holds from here on, first link first.
  private var links: [Link]

  /// One pointer with its name; gives the pointer back at the end.
  private final class Link {
    let identifier: String
    let payload: UnsafeMutableRawPointer
    private let destructor: @convention(c) (UnsafeMutableRawPointer?) -> Void

    init(
      _ identifier: String, _ payload: UnsafeMutableRawPointer,
      _ destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
      self.identifier = identifier
      self.payload = payload
      self.destructor = destructor
    }

    deinit { destructor(payload) }
  }

  /// A chain of one link.
  ///
  /// - Parameters:
  ///   - identifier: says what the payload is.
  ///   - payload: what the link carries.
  ///   - destructor: called with the payload when nobody needs the link any more.
  public init(
    identifier: String, payload: UnsafeMutableRawPointer,
    destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in }
  ) throws {
    links = [Link(identifier, payload, destructor)]
  }

  private init(_ links: [Link]) { self.links = links }

  /// The name of the first link; empty for an empty chain.
  public var identifier: String { links.first?.identifier ?? "" }

  /// The pointer of the first link; `nil` for an empty chain.
  public var data: UnsafeMutableRawPointer? { links.first?.payload }

  /// The pointer of the first link of a name; `nil` without one.
  public func findData(identifier: String) -> UnsafeMutableRawPointer? {
    links.first { $0.identifier == identifier }?.payload
  }

  /// The chain behind the first link; `nil` at the end.
  public func next() -> OpaqueOptions? { links.count > 1 ? OpaqueOptions(Array(links.dropFirst())) : nil }

  /// Puts another chain behind this one.
  ///
  /// - Throws: `LiteRtError`: `runtimeFailure` when this one is empty, `invalidArgument` when the other one is.
  public func append(_ other: OpaqueOptions) throws {
    guard !links.isEmpty else { throw LiteRtError.runtimeFailure }
    guard !other.links.isEmpty else { throw LiteRtError.invalidArgument }
    links += other.links
  }

  /// Takes the last link away.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` for an empty chain.
  public func pop() throws {
    guard links.popLast() != nil else { throw LiteRtError.runtimeFailure }
  }
}
