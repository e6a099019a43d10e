import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

@testable import SwiftletSchema

@Suite("Schema errors")
struct SchemaErrorTests {
  @Test("have codes with distinct names")
  func codes() {
    let codes: [SchemaError.Code] = [
      .empty, .wrongFileType, .truncated, .malformed, .invalid, .unsupported, .limitExceeded, .missingMember,
    ]
    #expect(
      codes.map(\.rawValue) == [
        "empty", "wrongFileType", "truncated", "malformed", "invalid", "unsupported", "limitExceeded", "missingMember",
      ])
  }

  @Test("contain location, problem, and byte offset")
  func descriptions() {
    let bare = SchemaError(.invalid, "is wrong")
    #expect(bare.description == "is wrong" && bare.location == "" && bare.byteOffset == nil)
    let placed = SchemaError(.invalid, "is wrong", location: "shape", byteOffset: 12)
    #expect(placed.description == "shape: is wrong (byte 12)")
    let outer = placed.located(in: "tensors[1]").located(in: "subgraphs[0]")
    #expect(outer.location == "subgraphs[0].tensors[1].shape" && outer.code == .invalid && outer.byteOffset == 12)
    #expect(bare.located(in: "buffers[2]").location == "buffers[2]")
    let inner = #expect(throws: SchemaError.self) {
      try locating("outer") { () throws(SchemaError) in throw placed }
    }
    #expect(inner?.location == "outer.shape")
  }

  @Test("texts of up to 2000 characters are shown in full, without terminal control characters")
  func lengths() {
    let long = String(repeating: "x", count: 2000)
    #expect(SchemaError(.invalid, long).message == long)
    let cut = String(repeating: "x", count: 1499) + "…" + String(repeating: "x", count: 498) + "yz"
    #expect(SchemaError(.invalid, long + "yz").message == cut)
    #expect(SchemaError(.invalid, "m", location: long + "yz").location == cut)
    #expect(SchemaError(.invalid, "a\u{1B}[2J\nb").message == "a [2J b")
    #expect(SchemaError(.invalid, "a\u{1B}" + long).message.hasPrefix("a xx"))
  }

  @Test("FlatBuffers errors keep their kind, location, and offset, with a fix")
  func flatBuffers() {
    func converted(_ kind: FlatBufferError.Kind) -> SchemaError {
      SchemaError(FlatBufferError(kind, "is wrong", position: 9, path: "a.b"))
    }
    let cut = converted(.outOfBounds)
    #expect(cut.code == .truncated && cut.message == "is wrong; the file is cut off or damaged, fetch it again")
    let broken = converted(.malformed)
    #expect(
      broken.code == .malformed && broken.message == "is wrong; the file is damaged or not made by a correct writer")
    let large = converted(.limitExceeded)
    #expect(large.code == .limitExceeded && large.message == "is wrong")
    for error in [cut, broken, large] { #expect(error.location == "a.b" && error.byteOffset == 9) }
    let read = #expect(throws: SchemaError.self) {
      try reading { () throws(FlatBufferError) in throw FlatBufferError(.malformed, "x", position: 1) }
    }
    #expect(read?.code == .malformed)
  }

  // MARK: Other file types

  private func message(_ bytes: [UInt8]) -> String? { FileKind.reasonNotAModel(ByteRegion(bytes))?.message }

  @Test("web pages are recognized whatever they begin with, and nothing else is mistaken for one")
  func pages() {
    for start in ["<!doctype html>", "<HTML>", "<head>", "<?xml ?>", "<Body>", "\u{FEFF}<html>", " \n\t<html>"] {
      #expect(message(Array((start + "        ").utf8))?.contains("a web page") == true, "\(start)")
    }
    for start in ["<h1>", "x<html>", "<svg>", "html"] {
      #expect(message(Array((start + "        ").utf8))?.contains("a web page") == false, "\(start)")
    }
    // Only the beginning of the file is checked.
    #expect(message([UInt8](repeating: 32, count: 250) + Array("<html>".utf8))?.contains("a web page") == true)
    #expect(message([UInt8](repeating: 32, count: 256) + Array("<html>".utf8))?.contains("a web page") == false)
  }

  @Test("other formats require all of their signature bytes")
  func signatures() {
    let padding = [UInt8](repeating: 1, count: 80)
    #expect(message([0x1F, 0x8B] + padding)?.contains("gzip") == true)
    #expect(message([0x1F, 0x8C] + padding)?.contains("gzip") == false)
    #expect(message([0x1E, 0x8B] + padding)?.contains("gzip") == false)
    #expect(message([0x89] + Array("HDF\r\n".utf8) + padding)?.contains("Keras") == true)
    #expect(message([0x88] + Array("HDF\r\n".utf8) + padding)?.contains("Keras") == false)
    #expect(message([0x89] + Array("HDF\n\n".utf8) + padding)?.contains("Keras") == false)
    let zeros = [UInt8](repeating: 0, count: 63)
    #expect(message(zeros + [0, 7])?.contains("zero bytes") == true)
    #expect(message(zeros + [7])?.contains("zero bytes") == false)
    #expect(message([0, 0, 0, 0, 0, 0, 0])?.contains("zero bytes") == true)
    #expect(message([1, 2, 3, 4, 5, 6, 7]) == "a .tflite model has at least 8 bytes, got 7; fetch the file again")
    #expect(message([1, 2, 3, 4, 5, 6, 7, 8])?.contains("expected the identifier \"TFL3\" at byte 4") == true)
    #expect(message([0, 0, 0, 0] + Array("TFL3".utf8)) == nil && message([1, 0, 0, 0] + Array("TFL4".utf8)) != nil)
  }

  @Test("archives start after up to 63 zeros")
  func archives() {
    func isArchive(_ zeros: Int, _ start: String) -> Bool {
      FileKind.reasonNotABundle(ByteRegion([UInt8](repeating: 0, count: zeros) + Array(start.utf8))) == nil
    }
    #expect(isArchive(0, "PK\u{3}\u{4}") && isArchive(0, "PK\u{5}\u{6}") && isArchive(63, "PK\u{3}\u{4}"))
    #expect(!isArchive(64, "PK\u{3}\u{4}") && !isArchive(0, "PK\u{3}\u{5}") && !isArchive(0, "PK\u{1}\u{2}"))
    #expect(FileKind.reasonNotABundle(.empty)?.code == .empty && FileKind.reasonNotAModel(.empty)?.code == .empty)
    #expect(
      FileKind.reasonNotAModel(ByteRegion([UInt8](repeating: 0, count: 3) + Array("PK\u{3}\u{4}".utf8)))?.byteOffset
        == 0)
  }
}
