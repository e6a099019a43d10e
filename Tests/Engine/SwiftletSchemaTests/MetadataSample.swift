import SwiftletTestSupport

/// The metadata of a detector, with everything that the reader supports.
enum MetadataSample {
  static func fields(minimumParserVersion: String = "1.5.0") -> [Int: FlatValue] {
    let labels: [Int: FlatValue] = [0: .string("labels.txt"), 2: .byte(2)]
    let german: [Int: FlatValue] = [0: .string("labels_de.txt"), 2: .byte(2), 3: .string("de")]
    let image: [Int: FlatValue] = [
      0: .string("image"), 1: .string("the input"),
      3: .table([
        0: .byte(2), 1: .table([0: .byte(1), 1: .table([0: .uint(320), 1: .uint(240)])]),
      ]),
      4: .tables([[0: .byte(1), 1: .table([0: .floats([127.5]), 1: .floats([128])])]]),
      5: .table([0: .floats([1]), 1: .floats([-1])]),
    ]
    let boxes: [Int: FlatValue] = [
      0: .string("boxes"), 2: .strings(["batch", "box"]),
      3: .table([
        0: .byte(3), 1: .table([0: .ints([1, 0, 3, 2]), 1: .byte(1), 2: .byte(0)]),
        2: .table([0: .int(2), 1: .int(2)]),
      ]),
    ]
    let scores: [Int: FlatValue] = [
      0: .string("scores"),
      3: .table([0: .byte(1)]),
      4: .tables([
        [0: .byte(2), 1: .table([0: .byte(1), 1: .float(0.25)])],
        [0: .byte(3), 1: .table([0: .float(0.5)])],
        [
          0: .byte(6),
          1: .table([0: .string("[^a-z]"), 1: .tables([[0: .string("words.txt"), 2: .byte(5)]])]),
        ],
        [0: .byte(4), 1: .table([0: .tables([[0: .string("pieces.txt")]])])],
        [0: .byte(5), 1: .table([:])],
        [0: .byte(7), 1: .table([:])],
      ]),
      6: .tables([labels, german]),
    ]
    let subgraph: [Int: FlatValue] = [
      0: .string("graph"), 2: .tables([image]), 3: .tables([boxes, scores]),
      8: .tables([[0: .string("result"), 1: .strings(["boxes", "scores"])]]),
      9: .tables([[0: .string("SEGMENTER_METADATA"), 1: .bytes([1, 2, 3])]]),
    ]
    return [
      0: .string("sample"), 1: .string("a sample"), 2: .string("v2"), 3: .tables([subgraph]), 4: .string("somebody"),
      5: .string("none"), 6: .tables([[0: .string("readme.md"), 2: .byte(1), 4: .string("1")]]),
      7: .string(minimumParserVersion),
    ]
  }

  static let bytes = FlatValue.file(root: fields(), identifier: "M001")
}
