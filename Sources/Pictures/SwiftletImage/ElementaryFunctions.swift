import SwiftletCLibrary

func cosineOf(_ angle: Float) -> Float { cos(angle) }
func sineOf(_ angle: Float) -> Float { sin(angle) }
func cosineOf(_ angle: Double) -> Double { cos(angle) }
func sineOf(_ angle: Double) -> Double { sin(angle) }
func exponentialOf(_ value: Float) -> Float { exp(value) }
