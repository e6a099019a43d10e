import Testing

@testable import SwiftletVision

@Suite("SSD anchors")
struct SSDAnchorsTests {
  private func layout(_ size: Int, _ strides: [Int], interpolated: Float, fixed: Bool = true) -> SSDAnchorLayout {
    SSDAnchorLayout(
      inputWidth: size, inputHeight: size, strides: strides, minimumScale: 0.1484375, maximumScale: 0.75,
      aspectRatios: [1],
      interpolatedAspectRatio: interpolated, hasFixedSize: fixed)
  }

  @Test("the short-range face model has 896 anchors, two per cell of the fine grid and six of the coarse one")
  func shortRange() throws {
    let anchors = try layout(128, [8, 16, 16, 16], interpolated: 1).anchors()
    #expect(anchors.count == 896)
    #expect(anchors[0] == Anchor(centerX: 0.03125, centerY: 0.03125, width: 1, height: 1))
    #expect(anchors[1] == anchors[0])
    #expect(anchors[2].centerX == 0.09375)
    #expect(anchors[512].centerX == 0.0625)
    #expect(anchors[517] == anchors[512])
    #expect(anchors[895] == Anchor(centerX: 0.9375, centerY: 0.9375, width: 1, height: 1))
  }

  @Test("the full-range face model has one anchor per cell")
  func fullRange() throws {
    #expect(try layout(192, [4], interpolated: 0).anchors().count == 2304)
  }

  @Test("without a fixed size, scales range from the smallest to the largest with intermediate values")
  func scales() throws {
    let anchors = try layout(64, [32, 64], interpolated: 1, fixed: false).anchors()
    #expect(anchors.count == 4 * 2 + 2)
    #expect(anchors[0].width == 0.1484375)
    #expect(abs(anchors[1].width - (0.1484375 * 0.75 as Float).squareRoot()) < 1e-6)
    #expect(anchors[8].width == 0.75)
    #expect(abs(anchors[9].width - (0.75 as Float).squareRoot()) < 1e-6)
  }

  @Test("rejects invalid strides and layouts that are too large")
  func refusals() {
    #expect(throws: TaskError.self) { try layout(128, [], interpolated: 0).anchors() }
    #expect(throws: TaskError.self) { try layout(128, [0], interpolated: 0).anchors() }
    #expect(throws: TaskError.self) { try layout(16384, [1], interpolated: 1).anchors() }
  }
}
