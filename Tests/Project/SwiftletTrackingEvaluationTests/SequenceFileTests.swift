import Foundation
import SwiftletTestSupport
import SwiftletTracking
import Testing

@testable import SwiftletTrackingEvaluation

@Suite("MOT challenge files")
struct SequenceFileTests {
  private func rows(_ text: String, frameCount: Int? = nil, needsIdentities: Bool = true) throws -> [MOTText.Row] {
    try MOTText.rows(text, file: "gt.txt", frameCount: frameCount, needsIdentities: needsIdentities)
  }

  @Test("are read with any usual line endings, spaces, and number of columns")
  func reads() throws {
    let text = "1,3,794.27,247.59,71.245,174.88,-1,-1,-1,-1\r\n\n 2 , 4,\t-5,0,1e1,20,0.5 \n3,1.0,1,2,3,4"
    let expected = [
      MOTText.Row(
        frame: 1, identity: 3, box: PixelRect(x: 794.27, y: 247.59, width: 71.245, height: 174.88), confidence: -1),
      MOTText.Row(frame: 2, identity: 4, box: PixelRect(x: -5, y: 0, width: 10, height: 20), confidence: 0.5),
      MOTText.Row(frame: 3, identity: 1, box: PixelRect(x: 1, y: 2, width: 3, height: 4), confidence: 1),
    ]
    #expect(try rows(text) == expected)
    #expect(try rows("") == [])
  }

  @Test("round-trip")
  func roundTrip() throws {
    var generator = SplitMix64(state: 3)
    let written = (1...200).map { number in
      MOTText.Row(
        frame: number, identity: number % 7,
        box: PixelRect(
          x: .random(in: -10...600, using: &generator), y: .random(in: -1...1, using: &generator),
          width: .random(in: 1e-9...1, using: &generator),
          height: .random(in: 1...1000, using: &generator)),
        confidence: .random(in: 0...1, using: &generator))
    }
    #expect(try rows(MOTText.text(written)) == written)
  }

  static let faults = [
    ("1,1,0,0,5", "5 columns"), ("1,1,0,0,5,5,1,1,1,1,1", "11 columns"), ("0,1,0,0,5,5", "frame is '0'"),
    ("1.5,1,0,0,5,5", "frame is '1.5'"),
    ("9,1,0,0,5,5", "expected a whole number in 1…8"), ("1,-2,0,0,5,5", "identity is '-2'"),
    ("1,x,0,0,5,5", "identity is 'x'"),
    ("1,-1,0,0,5,5", "every box needs one"), ("1,1,nan,0,5,5", "left is 'nan'"), ("1,1,0,inf,5,5", "top is 'inf'"),
    ("1,1,0,0,0x5,5", "width is '0x5'"),
    ("1,1,0,0,0,5", "width is '0'; expected a number above 0"), ("1,1,0,0,5,-5", "height is '-5'"),
    ("1,1,0,0,5,1e9", "height is '1e9'"),
    ("1,1,,0,5,5", "left is ''"), ("1,1,0,0,5,5,1e400", "confidence is '1e400'"),
    ("1,1,0,0,5,5,1,a", "column 8 is 'a'"),
    ("1,1,0,0,5,5\n1,1,9,9,5,5", "identity 1 is already in frame 1"),
    ("1,99999999999999999999,0,0,5,5", "identity is '99999999999999999999'"),
    ("1;1;0;0;5;5", "1 columns"),
  ]

  @Test("are rejected with file, line, and reason", arguments: faults)
  func refuses(text: String, reason: String) throws {
    let error = try #require(throws: EvaluationError.self) { _ = try rows("2,1,0,0,5,5\n" + text, frameCount: 8) }
    let line = text.contains("\n") ? 3 : 2
    #expect(error.message.hasPrefix("gt.txt:\(line): "), "\(error)")
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test("of any bytes are either read or rejected")
  func hostileText() {
    var generator = SplitMix64(state: 11)
    let pieces = [
      "1", "-1", ",", ",", ",", "\n", "\r\n", ".", "e", "9999999999999", " ", "nan", "0x", "é", "\u{0}", "[Sequence]",
      "=", "frameRate", "seqLength=5\n", "+", "1e308",
    ]
    var refused = 0
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      do { _ = try MOTText.rows(text, file: "x", frameCount: nil, needsIdentities: true) } catch { refused += 1 }
      do { _ = try SequenceInformation(text, file: "x") } catch { refused += 1 }
    }
    #expect(refused > 5000)
  }

  @Test("the description of a sequence is read, with comments and other sections")
  func information() throws {
    let text =
      "; made by hand\r\n[Other]\nframeRate=1\n[Sequence]\nname = MOT17-02 \nimDir=img1\nframeRate=30\nseqLength=600\nimWidth=1920\nimHeight=1080\nimExt=.jpg\n"
    let expected = SequenceInformation(name: "MOT17-02", frameRate: 30, frameCount: 600, width: 1920, height: 1080)
    #expect(try SequenceInformation(text, file: "seqinfo.ini") == expected)
    #expect(try SequenceInformation(expected.text, file: "seqinfo.ini") == expected)
  }

  static let informationFaults = [
    ("[Sequence]\nframeRate", "seqinfo.ini:2: 'frameRate'; expected a line such as"),
    ("[Sequence]\nframeRate=30\nframeRate=25", "seqinfo.ini:3: frameRate is given a second time"),
    ("[Sequence]\nframeRate=0", "seqinfo.ini:2: frameRate is '0'"),
    ("[Sequence]\nframeRate=nan", "seqinfo.ini:2: frameRate is 'nan'"),
    ("[Sequence]\nframeRate=30\nseqLength=1e9", "seqinfo.ini:3: seqLength is '1e9'"),
    ("[Sequence]\nframeRate=30\nseqLength=99999999", "seqinfo.ini:3: seqLength"),
    ("[Sequence]\nframeRate=30\nseqLength=5\nimWidth=-1", "seqinfo.ini:4: imWidth is '-1'"),
    ("frameRate=30", "frameRate is missing"), ("", "frameRate is missing"),
  ]

  @Test("the description of a sequence is rejected with file, line, and reason", arguments: informationFaults)
  func refusesInformation(text: String, reason: String) throws {
    let error = try #require(throws: EvaluationError.self) { _ = try SequenceInformation(text, file: "seqinfo.ini") }
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test("a sequence with uneven timestamps round-trips")
  func folderRoundTrip() throws {
    let folder = try Folder()
    let scenario = try #require(SyntheticSuite.scenarios.first { $0.name == "dropped-frames" })
    let sequence = scenario.sequences[0]
    try SequenceFolder.write(sequence, to: folder.path)
    let read = try SequenceFolder.read(folder.path)
    #expect(read.name == sequence.name && read.frameRate == sequence.frameRate && read.hasTruth)
    #expect(read.frames.map(\.time) == sequence.frames.map(\.time))
    #expect(read.frames.map(\.truth) == sequence.frames.map(\.truth))
    #expect(read.frames.map(\.detections) == sequence.frames.map(\.detections))
    #expect(read.frames.allSatisfy { $0.width == 640 && $0.height == 480 })
  }

  @Test("marked ground-truth boxes are not evaluated, and ground truth is optional")
  func truthIsOptional() throws {
    let folder = try Folder()
    try folder.write("seqinfo.ini", "[Sequence]\nframeRate=10\nseqLength=3\nimWidth=64\nimHeight=48\n")
    try folder.write("det.txt", "2,-1,1,2,3,4,0.5\n")
    let bare = try SequenceFolder.read(folder.path)
    #expect(!bare.hasTruth && bare.frames.map(\.time) == [0, 0.1, 0.2] && bare.frames[1].detections.count == 1)
    try folder.write("gt.txt", "1,1,1,2,3,4,1,1,1\n1,2,1,2,3,4,0,1,1\n")
    let full = try SequenceFolder.read(folder.path)
    #expect(full.hasTruth && full.frames[0].truth.map(\.identity) == [1])
  }

  @Test("a directory with missing or contradictory files is rejected by name")
  func refusesFolders() throws {
    let folder = try Folder()
    func message() throws -> String {
      try #require(throws: EvaluationError.self) { _ = try SequenceFolder.read(folder.path) }.message
    }
    #expect(try message().contains("seqinfo.ini: cannot be read"))
    try folder.write("seqinfo.ini", "[Sequence]\nframeRate=10\nseqLength=3\nimWidth=64\nimHeight=48\n")
    #expect(try message().contains("neither det/det.txt nor det.txt"))
    try folder.write("det.txt", "4,-1,1,2,3,4,0.5\n")
    #expect(try message().contains("det.txt:1: frame is '4'"))
    try folder.write("det.txt", "1,-1,1,2,3,4,0.5\n")
    try folder.write("times.txt", "1,0\n2,1\n")
    #expect(try message().contains("2 times for the 3 frames"))
    try folder.write("times.txt", "1,0\n2,1\n3,0.5\n")
    #expect(try message().contains("times.txt:3"))
    try folder.write("times.txt", "1,0\n2,nan\n3,0.5\n")
    #expect(try message().contains("times.txt:2"))
  }

  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-tracking-\(UUID().uuidString)")
      .path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
  }
}
