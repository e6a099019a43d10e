import SwiftletBase
import Testing

@testable import SwiftletFlatBuffers

@Suite("Limits of FlatBuffers")
struct FlatBufferLimitTests {
  @Test("have the documented defaults")
  func defaults() {
    let limits = FlatBufferLimits.default
    #expect(limits.depth == 64 && limits.tables == 1_000_000 && limits.elements == 268_435_456)
    #expect(FlatBufferLimits(depth: 3).depth == 3 && FlatBufferLimits(tables: 4).tables == 4)
    #expect(FlatBufferLimits(elements: 5) == FlatBufferLimits(depth: 64, tables: 1_000_000, elements: 5))
  }

  @Test(
    "grow with the buffer up to the limit",
    arguments: [
      (0, 16_384, 1_048_576), (32_768, 16_384, 1_048_576), (32_770, 16_385, 1_048_576), (262_144, 131_072, 1_048_576),
      (262_145, 131_072, 1_048_580), (16_777_216, 1_000_000, 67_108_864), (67_108_864, 1_000_000, 268_435_456),
      (134_217_728, 1_000_000, 268_435_456), (.max, 1_000_000, 268_435_456),
    ] as [(Int, Int, Int)])
  func budgets(bytes: Int, tables: Int, elements: Int) {
    let budget = FlatBufferBudget(byteCount: bytes)
    #expect(budget.remainingTables == tables && budget.remainingElements == elements)
    let small = FlatBufferBudget(limits: FlatBufferLimits(tables: 7, elements: 9), byteCount: bytes)
    #expect(small.remainingTables == 7 && small.remainingElements == 9)
  }

  @Test("errors have a location")
  func errors() {
    let error = FlatBufferError(.malformed, "wrong", position: 7)
    #expect(error.description == "wrong (byte 7)" && error.path == "")
    let inner = error.prefixed(by: "shape").prefixed(by: "tensors[3]")
    #expect(inner.path == "tensors[3].shape" && inner.description == "tensors[3].shape: wrong (byte 7)")
    #expect(inner.kind == .malformed && inner.position == 7 && inner.what == "wrong")
  }
}

@Suite("FlexBuffer numbers")
struct FlexBufferNumberTests {
  private func value(_ bytes: [UInt8], limits: FlatBufferLimits = .default) throws(FlatBufferError) -> FlexBufferValue {
    try FlexBufferValue(ByteRegion(bytes), limits: limits)
  }

  private func error(_ bytes: [UInt8], limits: FlatBufferLimits = .default) -> FlatBufferError? {
    do throws(FlatBufferError) {
      _ = try value(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test("values are converted to other kinds where possible")
  func conversions() {
    let values: [FlexBufferValue] = [
      .null, .bool(true), .int(-3), .uint(7), .float(2.75), .string("12"), .string("1.5"), .string("x"),
      .blob(ByteRegion([1])), .vector([.int(1)]), .typedVector([.int(2)]), .map([("k", .int(3))]), .bool(false),
      .float(-2.75), .int(0), .uint(0), .float(0), .float(.infinity),
    ]
    #expect(values.map(\.intValue) == [0, 1, -3, 7, 2, 12, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0])
    #expect(
      values.map(\.doubleValue) == [0, 1, -3, 7, 2.75, 12, 1.5, 0, 0, 0, 0, 0, 0, -2.75, 0, 0, 0, .infinity])
    #expect(
      values.map(\.boolValue) == [
        false, true, true, true, true, false, false, false, false, false, false, false, false, true, false, false,
        false, true,
      ])
    #expect(values.map(\.isNull) == [true] + [Bool](repeating: false, count: 17))
    #expect(values.compactMap(\.stringValue) == ["12", "1.5", "x"] && values.compactMap(\.blobValue).count == 1)
    #expect(values.map(\.elements.count) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(values.map(\.typedElements.count).reduce(0, +) == 1 && values.map(\.entries.count).reduce(0, +) == 1)
    #expect(FlexBufferValue.float(0.1).floatValue == Float(0.1))
    let twice = FlexBufferValue.map([("a", .int(1)), ("a", .int(2)), ("b", .int(3))])
    #expect(twice["a"].intValue == 1 && twice["b"].intValue == 3 && twice["c"].isNull)
  }

  @Test("integers and floats of every width are read at the root")
  func widths() throws {
    #expect(try value([0x80, 4, 1]).intValue == -128 && value([0x80, 8, 1]).intValue == 128)
    #expect(try value([0, 0x80, 5, 2]).intValue == -32_768 && value([0, 0x80, 9, 2]).intValue == 32_768)
    #expect(try value([0, 0, 0, 0x80, 6, 4]).intValue == -2_147_483_648)
    #expect(try value([0, 0, 0, 0x80, 10, 4]).intValue == 2_147_483_648)
    #expect(try value([0, 0, 0, 0, 0, 0, 0, 0x80, 7, 8]).intValue == .min)
    #expect(try value([0, 0, 0, 0, 0, 0, 4, 64, 15, 8]).doubleValue == 2.5)
    #expect(try value([1, 104, 1]).boolValue && !value([0, 104, 1]).boolValue)
    #expect(try value([2, 0, 105, 2]).boolValue)
    #expect(error([1, 12, 1])?.what == "a float has 2, 4 or 8 bytes, got 1")
    #expect(try value([1, 0x7C, 13, 2]).doubleValue.isNaN && value([0, 4, 13, 2]).doubleValue == 0x1p-14)
    #expect(try value([0xFF, 3, 13, 2]).doubleValue == 1023.0 / 1024 * 0x1p-14)
  }

  @Test("tuples of two to four numbers are read for each kind")
  func tuples() throws {
    // Elements at 0…3, the offset back to them, and its type.
    for (type, count) in [(16, 2), (17, 2), (19, 3), (20, 3), (22, 4), (23, 4)] {
      let isSigned = (type - 16) % 3 == 0
      var bytes: [UInt8] = Array([255, 2, 3, 4].prefix(count))
      bytes += [UInt8(count), UInt8(type * 4), 1]
      let expected = [isSigned ? -1 : 255, 2, 3, 4].prefix(count)
      #expect(try value(bytes).typedElements.map(\.intValue) == Array(expected), "type \(type)")
    }
    for (type, count) in [(18, 2), (21, 3), (24, 4)] {
      var bytes: [UInt8] = []
      for _ in 0..<count { bytes += [0, 0, 0x80, 0x3F] }
      bytes += [UInt8(4 * count), UInt8(type * 4 + 2), 1]
      #expect(try value(bytes).typedElements.map(\.doubleValue) == [Double](repeating: 1, count: count))
      #expect(error(Array(bytes.dropFirst(4)))?.kind == .outOfBounds)
    }
    // Four one-byte elements end exactly at the last byte.
    #expect(try value([9, 1, 88, 1]).typedElements.map(\.intValue) == [9, 1, 88, 1])
    #expect(error([1, 88, 1])?.kind == .outOfBounds)
  }

  @Test("typed vectors contain their declared number of elements, up to the end")
  func typedVectors() throws {
    // The length 3, the elements, and the offset back to the first one.
    for (type, expected) in [(11, [-1, 2, 3]), (12, [255, 2, 3])] {
      #expect(try value([3, 255, 2, 3, 3, UInt8(type * 4), 1]).typedElements.map(\.intValue) == expected)
    }
    #expect(try value([2, 0, 1, 2, 144, 1]).typedElements.map(\.boolValue) == [false, true])
    #expect(error([9, 255, 2, 3, 3, 44, 1])?.kind == .outOfBounds)
  }

  @Test("unknown kinds and widths are rejected")
  func refused() {
    for type in [27, 28, 35, 37, 63] {
      let found = error([1, UInt8(type * 4), 1])
      #expect(found?.kind == .malformed && found?.what == "unknown FlexBuffer type \(type)")
    }
    for width in [0, 3, 5, 16] as [UInt8] {
      #expect(
        error([0, 0, 0, 0, width])?.what == "the width of a FlexBuffer's root must be 1, 2, 4 or 8 bytes, got \(width)")
    }
    #expect(error([0, 4])?.what == "a FlexBuffer has at least 3 bytes, this has 2")
    #expect(error([0, 4, 2])?.what == "the FlexBuffer's root of 2 bytes is truncated")
    let zero = error([0, 20, 1])
    #expect(zero?.kind == .outOfBounds && zero?.what == "the backward offset 0 leads out of the FlexBuffer")
    #expect(error([2, 20, 1])?.what == "the backward offset 2 leads out of the FlexBuffer")
  }

  @Test("exactly the maximum nesting depth is accepted")
  func depth() throws {
    // Each vector contains the previous one; the first contains a number.
    func nested(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = [1, 5, 4]
      var previous = 1
      for _ in 1..<count {
        bytes.append(1)
        let start = bytes.count
        bytes += [UInt8(start - previous), 40]
        previous = start
      }
      return bytes + [UInt8(bytes.count - previous), 40, 1]
    }
    var inner = try value(nested(9), limits: FlatBufferLimits(depth: 10))
    for _ in 0..<9 { inner = try #require(inner.elements.first) }
    #expect(inner.intValue == 5)
    let found = error(nested(10), limits: FlatBufferLimits(depth: 10))
    #expect(found?.kind == .limitExceeded)
    #expect(found?.what == "FlexBuffer values are nested deeper than 10 levels, the limit")
  }

  @Test("exactly the maximum number of values and amount of text is accepted")
  func budgets() throws {
    let three: [UInt8] = [3, 1, 2, 3, 3, 44, 1]
    #expect(try value(three, limits: FlatBufferLimits(tables: 3)).typedElements.count == 3)
    let found = error(three, limits: FlatBufferLimits(tables: 2))
    #expect(found?.what == "the FlexBuffer holds more values than the limit for its size")
    let text: [UInt8] = [5, 104, 101, 108, 108, 111, 0, 6, 20, 1]
    #expect(try value(text, limits: FlatBufferLimits(elements: 5)).stringValue == "hello")
    let long = error(text, limits: FlatBufferLimits(elements: 4))
    #expect(long?.kind == .limitExceeded && long?.what == "the FlexBuffer holds more text than the limit for its size")
    // A key, which ends with a zero byte.
    let key: [UInt8] = [104, 105, 0, 3, 16, 1]
    #expect(try value(key, limits: FlatBufferLimits(elements: 2)).stringValue == "hi")
    #expect(error(key, limits: FlatBufferLimits(elements: 1)) != nil)
    #expect(error([104, 105, 2, 16, 1])?.what == "a key must end with a zero byte inside the FlexBuffer")
  }
}
