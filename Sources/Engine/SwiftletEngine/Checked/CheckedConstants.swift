import SwiftletBase

/// The constants and tables that one compilation creates in checked mode. Each has dedicated pages, which become
/// read-only at the end of the compilation.
///
/// Unchecked `Sendable` because the object belongs to one compilation, which runs on one thread in checked mode.
final class CheckedConstants: PageSource, @unchecked Sendable {
  /// The alignment that kernels may rely on for memory that the engine itself lays out.
  static let alignment = AlignedBytes.alignment

  private let turn: Int
  private var count = 0
  private var made: [GuardedPages] = []
  /// The number of bytes of the model that may still be copied. Many tensors may share the bytes of one buffer.
  private var budget: Int

  init(_ options: RuntimeOptions) {
    turn = options.checkedTurn
    budget = options.limits.arenaBytes
  }

  func pages(_ count: Int) -> GuardedPages? { try? next(count, alignment: Self.alignment) }

  private func next(_ count: Int, alignment: Int) throws(RuntimeError) -> GuardedPages {
    let pages = try CheckedMemory.made(count, alignment: alignment, number: self.count, turn: turn)
    self.count += 1
    made.append(pages)
    return pages
  }

  /// Makes all memory allocated so far read-only.
  func freeze() throws(RuntimeError) {
    for pages in made { try CheckedMemory.change(pages, to: .read) }
    made = []
  }

  /// Returns a copy of a constant in dedicated pages, with its exact size and aligned only for its elements.
  func copy(_ source: UnsafeRawBufferPointer, elementWidth: Int) throws(RuntimeError) -> ByteRegion {
    guard source.count <= budget else {
      throw RuntimeError(
        .limitExceeded,
        "constants take more than the limit of bytes when checked mode copies them; raise RuntimeOptions.limits.arenaBytes if this is intended"
      )
    }
    budget -= source.count
    let pages = try next(source.count, alignment: Self.alignment(ofElements: elementWidth))
    pages.bytes.copyMemory(from: source)
    return ByteRegion(owner: pages, bytes: UnsafeRawBufferPointer(pages.bytes))
  }

  /// Returns the largest power of two that divides a width.
  static func alignment(ofElements width: Int) -> Int { max(1, width & -width) }

  /// Returns the graph and its called graphs, with all constants copied to dedicated pages.
  func copied(_ graph: Graph) throws(RuntimeError) -> Graph {
    var graph = graph
    for id in graph.values.constants.keys {
      guard let region = graph.values.constants[id] else { continue }
      graph.values.constants[id] = try copy(
        region.bytes, elementWidth: graph.values.specs[id].elementType.storedWidth ?? 1)
    }
    for key in graph.callees.keys {
      if let callee = graph.callees[key] { graph.callees[key] = try copied(callee) }
    }
    return graph
  }
}
