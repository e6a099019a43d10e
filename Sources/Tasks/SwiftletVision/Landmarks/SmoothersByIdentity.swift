/// What smooths the things that are followed, one smoother each.
///
/// A frame is ``smooth(_:_:)`` for every thing that is followed on, in their order, and then ``endFrame()``.
struct SmoothersByIdentity<Smoother: Sendable>: Sendable {
  private let fresh: Smoother
  /// Those of the last frame's things.
  private var known: [Smoother] = []
  /// Those of this frame's.
  private var current: [Smoother] = []

  /// - Parameter fresh: one that has seen nothing.
  init(_ fresh: Smoother) { self.fresh = fresh }

  /// Calls `body` with the smoother of a thing.
  ///
  /// - Parameter identity: which of the last frame's things it is, as ``RegionFollower`` counts them; `nil` for a new
  ///   one.
  mutating func smooth(_ identity: Int?, _ body: (inout Smoother) -> Void) {
    var smoother = fresh
    // Taken out of the list, so that its memory is not copied.
    if let identity, known.indices.contains(identity) { swap(&smoother, &known[identity]) }
    body(&smoother)
    current.append(smoother)
  }

  /// Forgets the things that were not in this frame.
  mutating func endFrame() {
    swap(&known, &current)
    current.removeAll(keepingCapacity: true)
  }
}
