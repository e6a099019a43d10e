import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

// Written by the reference implementation (flatbuffers 25, Python): the options of a detection operator,
// {max_detections: 10, nms_iou_threshold: 0.5, use_regular_nms: true, name: "ssd", scales: [1.5, 2.25],
// counts: [1, 2, 300], mixed: [1, "a", null]}.
private let detectionOptions: [UInt8] = [
  109, 97, 120, 95, 100, 101, 116, 101, 99, 116, 105, 111, 110, 115, 0, 110, 109, 115, 95, 105, 111, 117, 95, 116, 104,
  114, 101, 115, 104, 111, 108, 100, 0, 117, 115, 101, 95, 114, 101, 103, 117, 108, 97, 114, 95, 110, 109, 115, 0, 110,
  97, 109, 101, 0, 3, 115, 115, 100, 0, 115, 99, 97, 108, 101, 115, 0, 0, 0, 2, 0, 0, 0, 0, 0, 192, 63, 0, 0, 16, 64,
  14, 14, 99, 111, 117, 110, 116, 115, 0, 0, 3, 0, 1, 0, 2, 0, 44, 1, 5, 5, 5, 109, 105, 120, 101, 100, 0, 1, 97, 0, 3,
  1, 4, 0, 4, 20, 0, 7, 36, 119, 19, 72, 107, 64, 91, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 48, 0, 0, 0, 10, 0,
  0, 0, 37, 0, 0, 0, 97, 0, 0, 0, 0, 0, 0, 63, 88, 0, 0, 0, 1, 0, 0, 0, 41, 6, 40, 20, 14, 42, 106, 35, 38, 1,
]

// Written in the same way: {a: -3, b: uint 200, c: 0.1, d: blob 1 2 3, e: typed [1, 2, 3, 70000], f: tuple (1.5, 2.5,
// 3.5), g: indirect -70000, h: indirect 2.5, i: {z: false}, j: typed [true, false], k: typed ["x", "yy"]}.
private let everyKind: [UInt8] = [
  97, 0, 98, 0, 99, 0, 100, 0, 3, 1, 2, 3, 101, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 112, 17, 1, 0,
  102, 0, 0, 0, 0, 0, 192, 63, 0, 0, 32, 64, 0, 0, 96, 64, 103, 0, 0, 0, 144, 238, 254, 255, 104, 0, 0, 0, 0, 0, 32,
  64, 105, 0, 122, 0, 1, 3, 1, 1, 1, 0, 104, 106, 0, 2, 1, 0, 107, 0, 1, 120, 0, 2, 121, 121, 0, 2, 7, 5, 11, 97, 96,
  95, 94, 89, 66, 51, 44, 37, 27, 23, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0,
  0, 253, 255, 255, 255, 255, 255, 255, 255, 200, 0, 0, 0, 0, 0, 0, 0, 154, 153, 153, 153, 153, 153, 185, 63, 151, 0, 0,
  0, 0, 0, 0, 0, 148, 0, 0, 0, 0, 0, 0, 0, 136, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0,
  123, 0, 0, 0, 0, 0, 0, 0, 126, 0, 0, 0, 0, 0, 0, 0, 122, 0, 0, 0, 0, 0, 0, 0, 7, 11, 15, 100, 46, 86, 26, 34, 36, 144,
  60, 99, 39, 1,
]

private func value(_ bytes: [UInt8], limits: FlatBufferLimits = .default) throws(FlatBufferError) -> FlexBufferValue {
  try FlexBufferValue(ByteRegion(bytes), limits: limits)
}

@Suite("FlexBufferValue")
struct FlexBufferTests {
  @Test("reads the options of a detection operator")
  func readsDetectionOptions() throws {
    let options = try value(detectionOptions)
    #expect(options["max_detections"].intValue == 10)
    #expect(options["nms_iou_threshold"].floatValue == 0.5)
    #expect(options["use_regular_nms"].boolValue)
    #expect(options["name"].stringValue == "ssd")
    #expect(options["scales"].elements.map(\.floatValue) == [1.5, 2.25])
    #expect(options["counts"].elements.map(\.intValue) == [1, 2, 300])
    #expect(options["mixed"].elements.map(\.isNull) == [false, false, true])
    #expect(options["mixed"].elements[1].stringValue == "a")
    #expect(options.entries.map(\.key).sorted() == options.entries.map(\.key))
  }

  @Test("reads every kind of value")
  func readsEveryKind() throws {
    let map = try value(everyKind)
    #expect(map["a"].intValue == -3)
    #expect(map["b"].intValue == 200)
    #expect(map["c"].doubleValue == 0.1)
    #expect(map["d"].blobValue.map { $0.array } == [1, 2, 3])
    #expect(map["e"].typedElements.map(\.intValue) == [1, 2, 3, 70_000])
    #expect(map["f"].typedElements.map(\.doubleValue) == [1.5, 2.5, 3.5])
    #expect(map["g"].intValue == -70_000)
    #expect(map["h"].doubleValue == 2.5)
    #expect(map["i"]["z"].boolValue == false)
    #expect(map["i"].entries.count == 1)
    #expect(map["j"].typedElements.map(\.boolValue) == [true, false])
    #expect(map["k"].typedElements.map(\.stringValue) == ["x", "yy"])
  }

  @Test("reads a bare root of each width")
  func readsBareRoots() throws {
    #expect(try value([24, 252, 5, 2]).intValue == -1000)
    #expect(try value([5, 104, 101, 108, 108, 111, 0, 6, 20, 1]).stringValue == "hello")
    #expect(try value([0, 0, 1]).isNull)
    #expect(try value([0, 0, 32, 64, 14, 4]).doubleValue == 2.5)
    #expect(try value([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 7, 8]).intValue == Int.max)
  }

  @Test(
    "reads 16-bit floats",
    arguments: [
      (bits: 0x3C00, value: 1), (bits: 0xC000, value: -2), (bits: 0x7BFF, value: 65_504),
      (bits: 0x0001, value: 0x1p-24),
      (bits: 0x7C00, value: .infinity), (bits: 0x8000, value: -0.0),
    ] as [(bits: UInt16, value: Double)])
  func readsHalfFloats(_ bits: UInt16, _ expected: Double) throws {
    let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8), 13, 2]
    #expect(try value(bytes).doubleValue.bitPattern == expected.bitPattern)
  }

  @Test("converts between kinds like the reference implementation")
  func converts() throws {
    let map = try value(everyKind)
    #expect(map["missing"].isNull)
    #expect(map["missing"].intValue == 0)
    #expect(map["missing"].boolValue == false)
    #expect(map["missing"]["deeper"].doubleValue == 0)
    #expect(map["h"].intValue == 2)
    #expect(map["a"].doubleValue == -3)
    #expect(map["a"].boolValue)
    #expect(map["a"].stringValue == nil)
    #expect(FlexBufferValue.string("12").intValue == 12)
    #expect(FlexBufferValue.float(1e300).intValue == 0)
    #expect(FlexBufferValue.float(.nan).intValue == 0)
    #expect(FlexBufferValue.uint(.max).intValue == -1)
    #expect(try value(detectionOptions)["mixed"].typedElements.isEmpty)
    #expect(try value(detectionOptions)["mixed"].elements.count == 3)
  }

  @Test("throws for every truncation at the front")
  func throwsForTruncationAtTheFront() {
    for count in 1...detectionOptions.count {
      #expect(throws: FlatBufferError.self) { try value(Array(detectionOptions.dropFirst(count))) }
    }
  }

  @Test("survives truncation at the end, hostile bytes and random damage", arguments: [0, 1])
  func survivesDamage(_ index: Int) {
    let sample = [detectionOptions, everyKind][index]
    var rejections = 0
    func attempt(_ bytes: [UInt8]) {
      do { _ = try value(bytes) } catch { rejections += 1 }
    }
    for count in 0..<sample.count { attempt(Array(sample.prefix(count))) }
    for position in sample.indices {
      for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = sample
        bytes[position] = byte
        attempt(bytes)
      }
    }
    var generator = SplitMix64(state: 7)
    for _ in 0..<20_000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      attempt(bytes)
    }
    #expect(rejections > 1000)
  }

  @Test("ends at the depth limit if a vector contains itself")
  func endsCycles() {
    // The elements are at 1 and 2; the second, one byte back, is the vector itself.
    let cycle: [UInt8] = [2, 0, 1, 0, 40, 4, 40, 1]
    let error = #expect(throws: FlatBufferError.self) { try value(cycle) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test("ends at the budget if shared vectors multiply")
  func endsExplosions() {
    // Each of 40 vectors contains the previous one twice, which makes 2^40 values in a naive traversal.
    var bytes: [UInt8] = [1, 5, 4]
    var previous = 1
    for _ in 0..<40 {
      bytes.append(2)
      let start = bytes.count
      bytes += [UInt8(start - previous), UInt8(start + 1 - previous), 40, 40]
      previous = start
    }
    bytes += [UInt8(bytes.count - previous), 40, 1]
    let error = #expect(throws: FlatBufferError.self) { try value(bytes) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test("rejects counts that exceed the bytes, and invalid widths")
  func rejectsHostileCounts() {
    #expect(throws: FlatBufferError.self) { try value([255, 1, 4, 2, 40, 1]) }
    #expect(throws: FlatBufferError.self) {
      try value([255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 8, 43, 1])
    }
    #expect(throws: FlatBufferError.self) { try value([0, 0, 3]) }
    #expect(throws: FlatBufferError.self) { try value([1, 12, 1]) }
    #expect(throws: FlatBufferError.self) { try value([1, 100 << 1, 1]) }
    #expect(throws: FlatBufferError.self) { try value([]) }
  }
}
