import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport

/// Bundles with some of the members of the test data's face landmarker.
enum FaceParts {
  static func bundle(_ names: [String]) throws -> [UInt8] {
    let whole = try TaskBundle(ByteRegion(try GoldenTask.modelBytes("face_landmarker.task")))
    return RawArchive(try names.map { .init($0, try whole.member($0).withBytes { [UInt8]($0) }) }).bytes
  }
}
