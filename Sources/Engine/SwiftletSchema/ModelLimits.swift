package import SwiftletFlatBuffers

/// How much a model file may ask of its reader.
package struct ModelLimits: Sendable, Hashable {
  /// Depth, table count and copied elements of the FlatBuffer.
  package var flatBuffer: FlatBufferLimits
  /// The most dimensions a tensor may have.
  package var rank: Int
  /// The most levels of subgraphs that call one another.
  package var callDepth: Int

  package init(flatBuffer: FlatBufferLimits = .default, rank: Int = 8, callDepth: Int = 64) {
    self.flatBuffer = flatBuffer
    self.rank = rank
    self.callDepth = callDepth
  }

  package static let `default` = ModelLimits()
}
